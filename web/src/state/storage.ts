// The browser's storage may be full, forbidden or disabled, and with it channels and locks between tabs: the site then works
// without persistence, and each tab alone.

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

/** A channel to the other tabs of this browser; null where they are missing or forbidden (Firefox throws). */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

/** Runs `task` while this tab holds the lock. Returns false, without running it, where locks are missing or forbidden. */
export async function holdLock(name: string, task: () => Promise<void>): Promise<boolean> {
  let isHeld = false
  const run = () => {
    isHeld = true
    return task()
  }
  try {
    await navigator.locks.request(name, run)
  } catch (error) {
    if (isHeld) throw error
  }
  return isHeld
}
