import type { DemoChallenge } from './content/challenge.ts'
import { codeChallenges } from './content/code.ts'
import { cryptoChallenges } from './content/crypto.ts'
import { forensicsChallenges } from './content/forensics.ts'
import { puzzleChallenges } from './content/puzzles.ts'
import { webChallenges } from './content/web.ts'

/** The example contest, without the challenges that need a container engine. */
export const demoChallenges: readonly DemoChallenge[] = [
  ...puzzleChallenges,
  ...webChallenges,
  ...cryptoChallenges,
  ...codeChallenges,
  ...forensicsChallenges,
]
