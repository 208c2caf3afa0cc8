import { classicScores } from './classic.ts'
import { genniScores } from './genni.ts'
import { jammyScores } from './jammy.ts'
import { legacyScores } from './legacy.ts'
import { sekaiScores } from './sekai.ts'
import { steepScores } from './steep.ts'

/** The port is `ScoreFormula` in lib: the standings use it and must not depend on providers. */
export const scoreProviders = [
  classicScores,
  legacyScores,
  steepScores,
  sekaiScores,
  genniScores,
  jammyScores,
] as const
