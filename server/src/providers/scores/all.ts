import { classicScores } from './classic.ts'
import { genniScores } from './genni.ts'
import { jammyScores } from './jammy.ts'
import { legacyScores } from './legacy.ts'
import { sekaiScores } from './sekai.ts'
import { steepScores } from './steep.ts'

/** The port is `ScoreFormula` of lib: the standings price with it and may not know providers. */
export const scoreProviders = [
  classicScores,
  legacyScores,
  steepScores,
  sekaiScores,
  genniScores,
  jammyScores,
] as const
