const ONE = /^\D*1\D*$/

/** A number with its noun: `1 point`, `2 points`. `shown` is the number as it is displayed, with its sign if it has one. */
export function counted(shown: string | number, one: string, other: string): string {
  return `${shown} ${ONE.test(String(shown)) ? one : other}`
}
