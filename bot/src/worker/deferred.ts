export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

/** A promise that is resolved from outside. The first value counts. */
export function createDeferred<T>(): Deferred<T> {
  let settle: ((value: T) => void) | undefined
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle?.(value) }
}
