import type { Edit } from './build.ts'

export type Guard =
  | 'auth'
  | 'permission'
  | 'gate'
  | 'ownership'
  | 'visibility'
  | 'rate limit'
  | 'signature'
  | 'content'
  | 'resources'

/** One removed guard and the self-test checks that must detect it. */
export interface Mutant extends Edit {
  readonly name: string
  readonly guard: Guard
  readonly caughtBy: readonly string[]
}
