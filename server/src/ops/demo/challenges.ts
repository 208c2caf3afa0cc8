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

/** Its backend pushes the points of each team. */
export const pushedChallenge = {
  id: 'king-of-the-pier',
  name: 'King of the pier',
  category: 'koth',
  author: 'harbour master',
  description: 'Hold the pier as long as you can. **Scored live**: the points of each minute arrive at once.',
  secret: 'the-pier-signs-its-scores',
}
