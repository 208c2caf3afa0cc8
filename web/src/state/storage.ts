// The browser's storage may be full, forbidden or disabled: the site then works without persistence.

export function readStored(key: string): string | null {
  return read(() => localStorage, key)
}

/** Null removes. */
export function writeStored(key: string, value: string | null): void {
  write(() => localStorage, key, value)
}

/** Session storage: this tab only, while it is open. */
export function readTab(key: string): string | null {
  return read(() => sessionStorage, key)
}

/** Null removes. */
export function writeTab(key: string, value: string | null): void {
  write(() => sessionStorage, key, value)
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // The value is kept for this page only.
  }
}
