/** A token bucket: starts full with `burst` tokens, gains one every `windowMs / burst` milliseconds. */
export interface BucketSize {
  readonly burst: number
  readonly windowMs: number
}

/** Rate limits. One atomic step takes a token or returns how long to wait. */
export interface Buckets {
  /** 0 when a token was taken, else the milliseconds until the next one, rounded up, at least 1. */
  take(key: string, size: BucketSize): Promise<number>
}

/** Short-lived keys: one-time markers, sign-in codes, replay marks. */
export interface Markers {
  set(key: string, value: string, ttlMs: number): Promise<void>
  find(key: string): Promise<string | null>
  /** Reads and deletes in one atomic step: of several callers exactly one gets the value. */
  take(key: string): Promise<string | null>
  /** Sets the key unless it exists. Returns whether this call set it. */
  claim(key: string, value: string, ttlMs: number): Promise<boolean>
  remove(key: string): Promise<void>
}

/** Wakes other processes. A lost message only causes a delay, because listeners also poll. */
export interface Bus {
  publish(channel: string): Promise<void>
  /** Returns a function that ends the subscription. */
  subscribe(channel: string, listener: () => void): () => void
}

export interface KeyValue {
  readonly buckets: Buckets
  readonly markers: Markers
  readonly bus: Bus
  /** Rejects when the datastore does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
}
