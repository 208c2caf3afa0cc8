import { buyHint } from '@pennant/contract/hints.ts'
import { z } from 'zod'
import { ChallengeRef, findChallenge } from './challenges.ts'
import { refusal } from './refusal.ts'
import { tool } from './tool.ts'

export const hintTool = tool({
  name: 'buy_hint',
  title: 'Buy a hint',
  description: 'Buys a hint of a challenge for the team. It costs points, which the team does not get back.',
  input: z.object({
    challenge: ChallengeRef,
    hint: z.string().min(1).max(64).describe('Id of the hint, from read_challenge.'),
    price: z.int().min(0).describe('What it costs, to confirm it. With another price nothing is bought.'),
  }),
  isRead: false,
  async run(site, { challenge: wanted, hint: hintId, price }) {
    const found = await findChallenge(site, wanted)
    if ('refused' in found) return found.refused
    const params = { id: found.challenge.id, hintId }
    const result = await site.call(buyHint, { params, body: { price } })
    if (result.kind !== 'goodHint') return refusal(result)
    const { hint, charged } = result.data
    return {
      parts: [`It took ${charged} points.`, { by: 'the author of the challenge', text: hint.text ?? '' }],
      data: { hint, charged },
    }
  },
})
