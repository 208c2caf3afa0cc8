/** A number with its noun: `1 solve`, `2 solves`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
