import { StartError } from '../../lib/errors.ts'

/** Divisions of this contest by those of the source, from pairs `old=new`. Throws a StartError. */
export function mappedDivisions(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new StartError(`The division ${pair} must be old=new.`)
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    }),
  )
}
