// A click or a touch that is no drag.
const kSlack = 5; // px

export function onTap(element: HTMLElement, act: (x: number, y: number) => void): void {
  let start: PointerEvent | null = null;
  element.addEventListener("pointerdown", (event) => {
    start = event.isPrimary && event.button === 0 ? event : null;
  });
  element.addEventListener("pointerup", (event) => {
    const moved = start ? Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) : Infinity;
    start = null;
    if (moved <= kSlack) act(event.clientX, event.clientY);
  });
}
