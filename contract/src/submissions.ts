import { z } from 'zod'
import { ChallengeId } from './fields.ts'
import { badChallenge, badEnded, badPerms, badUnknownUser } from './replies.ts'
import { reply, route } from './route.ts'

/** docs/reference/challenges.md#submitting-a-flag */
export const MAX_FLAG_LENGTH = 1024

export const goodFlag = reply(200, 'goodFlag', 'Correct flag.')
export const badFlag = reply(400, 'badFlag', 'Wrong flag.')
export const badAlreadySolvedChallenge = reply(
  409,
  'badAlreadySolvedChallenge',
  'Your team has solved this already.',
)

export const submitFlag = route({
  method: 'POST',
  path: '/api/v1/challs/:id/submit',
  summary: 'Submits a flag. It is compared exactly as it was sent.',
  auth: 'required',
  scope: 'submit',
  gate: { started: 'challsWrite', beforeEnd: 'challsWrite' },
  needsAcceptance: true,
  shows: ['challenges'],
  params: z.object({ id: ChallengeId }),
  // An empty flag is not malformed, just wrong.
  body: z.object({ flag: z.string().max(MAX_FLAG_LENGTH) }),
  limits: [],
  handlerLimits: ['flagSubmissions'],
  compatible: true,
  publicDemo: true,
  replies: [goodFlag, badEnded, badUnknownUser, badPerms, badChallenge, badFlag, badAlreadySolvedChallenge],
})

export const submissionRouteList = [submitFlag] as const
