// What the reader has chosen, in the address of the page: it survives a reload and can be sent to others.
//
//   #t=1.5&show=visual,frames&body=NAME&follow=1&camera=x,y,z,x,y,z&plot=energy,torque:NAME

const kKeys = ["t", "show", "body", "follow", "camera", "plot"] as const;
export type Key = (typeof kKeys)[number];

// Items of lists may hold commas.
function encodeItem(item: string): string {
  return item.replaceAll("%", "%25").replaceAll(",", "%2C");
}

function decodeItem(item: string): string {
  return item.replaceAll("%2C", ",").replaceAll("%25", "%");
}

const kDelay = 200; // ms; browsers refuse addresses that change all the time

export class Settings {
  private readonly values = new Map<Key, string>();
  private timer = 0;

  constructor() {
    const given = new URLSearchParams(window.location.hash.slice(1));
    for (const key of kKeys) if (given.has(key)) this.values.set(key, given.get(key)!);
  }

  get(key: Key): string | undefined {
    return this.values.get(key);
  }

  list(key: Key): string[] | undefined {
    const value = this.values.get(key);
    return value === undefined ? undefined : value.split(",").filter((item) => item).map(decodeItem);
  }

  set(key: Key, value: string | null): void {
    if (value === null ? !this.values.delete(key) : this.values.get(key) === value) return;
    if (value !== null) this.values.set(key, value);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), kDelay);
  }

  setList(key: Key, items: readonly string[] | null): void {
    this.set(key, items && items.map(encodeItem).join(","));
  }

  private write(): void {
    const text = kKeys.filter((key) => this.values.has(key))
      .map((key) => `${key}=${encodeURIComponent(this.values.get(key)!).replaceAll("%2C", ",").replaceAll("%3A", ":")}`);
    try {
      window.history.replaceState(null, "", text.length > 0 ? `#${text.join("&")}` : window.location.pathname);
    } catch {
      // Some viewers of files forbid it; nothing else depends on it.
    }
  }
}
