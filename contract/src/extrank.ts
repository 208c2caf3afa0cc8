import { z } from 'zod'
import { badExtrankToken, badKnownExtrankId } from './accounts.ts'
import { badEndpoint, badPerms, badToken, badUnknownUser } from './replies.ts'
import { reply, route } from './route.ts'
import { badZeroAuth } from './teams.ts'

// Sign-in with the ranking site: docs/reference/external-auth.md#sign-in-with-the-ranking-site

export const badExtrankCode = reply(401, 'badExtrankCode', 'The ranking-site code was not accepted.')
export const badExtrankNoExists = reply(404, 'badExtrankNoExists', 'No ranking-site team is linked.')

export const goodExtrankToken = reply(
  200,
  'goodExtrankToken',
  'Ranking-site sign-in accepted.',
  z.object({
    extrankToken: z
      .string()
      .describe(
        'Proves for a limited time which team of the ranking site this is; used to register, sign in and link.',
      ),
    extrankName: z.string(),
    extrankId: z.string(),
  }),
)
export const goodExtrankAuthSet = reply(200, 'goodExtrankAuthSet', 'The ranking-site team was linked.')
export const goodExtrankRemoved = reply(200, 'goodExtrankRemoved', 'The ranking-site team was unlinked.')

export const exchangeExtrankCode = route({
  method: 'POST',
  path: '/api/v1/integrations/extrank/callback',
  summary: 'Exchange the code of the ranking site for a token that names the team there.',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
  body: z.object({ extrankCode: z.string() }),
  limits: ['outsideCalls'],
  compatible: true,
  replies: [goodExtrankToken, badEndpoint, badExtrankCode],
})

const own = {
  compatible: true,
  path: '/api/v1/users/me/auth/extrank',
  auth: 'required',
  scope: null,
  captainOnly: true,
} as const

export const setExtrank = route({
  ...own,
  method: 'PUT',
  summary: "Link the caller's team to a team of the ranking site, replacing an existing link.",
  body: z.object({ extrankToken: z.string() }),
  limits: ['accountChanges'],
  replies: [
    goodExtrankAuthSet,
    badToken,
    badPerms,
    badEndpoint,
    badExtrankToken,
    badKnownExtrankId,
    badUnknownUser,
  ],
})

export const removeExtrank = route({
  ...own,
  method: 'DELETE',
  summary: "Unlink the caller's team from the ranking site, if an email address remains to sign in with.",
  limits: ['accountChanges'],
  replies: [
    goodExtrankRemoved,
    badToken,
    badPerms,
    badEndpoint,
    badExtrankNoExists,
    badZeroAuth,
    badUnknownUser,
  ],
})

export const extrankRouteList = [exchangeExtrankCode, setExtrank, removeExtrank] as const
