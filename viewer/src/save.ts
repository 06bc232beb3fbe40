// Hands a file to the reader.
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, "_");
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // the browser reads it meanwhile
}
