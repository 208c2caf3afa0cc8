export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

/** A promise resolved from outside. Only the first value counts. */
export function createDeferred<T>(): Deferred<T> {
  let settle: ((value: T) => void) | undefined
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle?.(value) }
}
