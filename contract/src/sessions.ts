import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { reply, route, type Route } from './route.ts'

// Sessions of people: docs/reference/people.md#ways-and-sessions

/** Sessions of a person; the oldest end beyond it. */
export const MAX_SESSIONS = 100

export const goodSessions = reply(
  200,
  'goodSessions',
  'Sessions, the most recently used first.',
  z.object({
    sessions: z
      .array(
        z.object({
          id: z.string(),
          methods: z.array(z.string()).describe('How the person signed in.'),
          browser: z.string().describe('As the browser names itself.'),
          ip: z.string().nullable(),
          createdAt: UnixMs,
          lastUsedAt: UnixMs.describe('Unix milliseconds, exact to five minutes.'),
          expiresAt: UnixMs,
          isCurrent: z.boolean(),
        }),
      )
      .max(MAX_SESSIONS),
  }),
)
export const goodSessionsEnded = reply(
  200,
  'goodSessionsEnded',
  'The sessions have ended.',
  z.object({ ended: z.int() }),
)
export const badSession = reply(404, 'badSession', 'No such session.')

const own = { auth: 'person', scope: null, limits: ['personCalls'] } as const
const ownChange = { auth: 'person', scope: null, limits: ['personChanges'] } as const

export const listSessions = route({
  ...own,
  method: 'GET',
  path: '/api/v2/people/me/sessions',
  shows: [],
  summary: "List the caller's sessions.",
  replies: [goodSessions],
})

export const endSession = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sessions/:id',
  summary: "End one of the caller's sessions, or this one to sign out.",
  params: z.object({ id: z.string().min(1).max(64) }),
  replies: [goodSessionsEnded, badSession],
})

export const signOutHere = route({
  method: 'POST',
  path: '/api/v2/people/sign-out',
  summary: 'End the session of the token. For the token of a team, which others use too, nothing happens.',
  auth: 'optional',
  scope: null,
  limits: ['signIns'],
  replies: [goodSessionsEnded],
})

export const endOtherSessions = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sessions',
  summary: "End all of the caller's sessions but this one.",
  replies: [goodSessionsEnded],
})

export const sessionRouteList: readonly Route[] = [listSessions, endSession, signOutHere, endOtherSessions]
