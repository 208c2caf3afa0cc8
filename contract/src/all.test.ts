import { expect, test } from 'vitest'
import { allRoutes } from './all.ts'

// Every route that clients rely on (docs/reference/requests-and-responses.md#compatibility). `[v2,v1]`: in
// both versions. Fails if one is missing, and for a route that is declared as compatible but not listed.

const specified = `
POST [v2,v1] auth/register
POST [v2,v1] auth/verify
POST [v2,v1] auth/recover
GET [v2] auth/verify-info
POST [v1] auth/login
GET [v1] auth/test
GET [v2,v1] integrations/client/config
GET [v2] integrations/analytics/script
GET [v2] integrations/challs/:id/instance
PUT [v2] integrations/challs/:id/instance
PATCH [v2] integrations/challs/:id/instance
DELETE [v2] integrations/challs/:id/instance
GET [v2] integrations/challs/:id/admin-bot/config
POST [v2] integrations/challs/:id/admin-bot
GET [v2] integrations/challs/:id/admin-bot/status
GET [v2] integrations/challs/:id/admin-bot/history
GET [v2] integrations/challs/:id/admin-bot/jobs/:jobId/logs
POST [v1] integrations/extrank/callback
GET [v1] integrations/extrank/leaderboard
GET [v2,v1] challs
GET [v2,v1] challs/:id/solves
POST [v1] challs/:id/submit
POST [v2] challs/:id/scores
GET [v2,v1] leaderboard/now
GET [v2] leaderboard/with-graph
GET [v2,v1] leaderboard/graph
GET [v2] leaderboard/challs
GET [v2,v1] admin/challs
GET [v2,v1] admin/challs/:id
PUT [v2,v1] admin/challs/:id
DELETE [v2] admin/challs/:challengeId/solves/:userId
DELETE [v1] admin/challs/:id
POST [v2,v1] admin/upload
POST [v2,v1] admin/upload/query
GET [v2] admin/users
POST [v2] admin/users
GET [v2] admin/users/:id
PUT [v2] admin/users/:id
DELETE [v2] admin/users/:id
POST [v2] admin/users/:id/token
GET [v2] admin/user-verifications
POST [v2] admin/user-verifications/:id/complete
POST [v2] admin/user-verifications/:id/resend
GET [v2] admin/submissions
POST [v2] admin/submissions
GET [v2] admin/settings
PUT [v2] admin/settings
GET [v2] admin/instancer/schema
GET [v2] admin/admin-bot/status
GET [v2] admin/external-auth/clients
POST [v2] admin/external-auth/clients
DELETE [v2] admin/external-auth/clients/:id
DELETE [v2] admin/users/:userId/solves
POST [v2] admin/admin-bot/jobs/pull
GET [v2] admin/admin-bot/challenges/:id/source
POST [v2] admin/admin-bot/jobs/:id/complete
POST [v2] admin/admin-bot/jobs/:id/fail
GET [v2] admin/admin-bot/queue-depth
GET [v2,v1] users/:id
GET [v2,v1] users/me
PATCH [v2,v1] users/me
PATCH [v2] users/me/avatar
PUT [v2,v1] users/me/auth/email
DELETE [v1] users/me/auth/email
PUT [v1] users/me/auth/extrank
DELETE [v1] users/me/auth/extrank
GET [v1] users/me/members
POST [v1] users/me/members
DELETE [v1] users/me/members/:id
POST [v2] external-auth/token
`

function routesOf(table: string): string[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, method = '', versions = '', path = ''] = /^(\w+) \[(.*)\] (.*)$/.exec(line) ?? []
      return versions.split(',').map((version) => `${method} /api/${version}/${path}`)
    })
}

test('the compatible routes are those that clients rely on', () => {
  const declared = allRoutes
    .filter(({ compatible }) => compatible)
    .map(({ method, path }) => `${method} ${path}`)
  expect(declared.toSorted()).toEqual(routesOf(specified).toSorted())
})

test('no two routes have the same method and path', () => {
  const names = allRoutes.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(names).size).toBe(names.length)
})

test('routes of version 1 return the kinds that its tools expect', () => {
  const successOf = (path: string) => {
    const route = allRoutes.find((each) => each.method === 'GET' && each.path === path)
    return route?.replies.filter(({ status }) => status === 200).map(({ kind }) => kind)
  }
  expect(successOf('/api/v1/admin/challs')).toEqual(['goodChallenges'])
  expect(successOf('/api/v1/admin/challs/:id')).toEqual(['goodChallenges'])
  expect(successOf('/api/v1/users/me')).toEqual(['goodUserData'])
  expect(successOf('/api/v1/leaderboard/graph')).toEqual(['goodLeaderboard'])
  expect(successOf('/api/v2/admin/challs')).toEqual(['goodAdminChallenges'])
  expect(successOf('/api/v2/admin/challs/:id')).toEqual(['goodAdminChallenge'])
  expect(successOf('/api/v2/users/me')).toEqual(['goodUserSelfData'])
  expect(successOf('/api/v2/leaderboard/graph')).toEqual(['goodLeaderboardGraph'])
})

test('a route with a body and without authentication has the small body cap', () => {
  const open = allRoutes.filter(
    ({ auth, body, form }) => ['public', 'optional'].includes(auth) && (body || form),
  )
  expect(open.length).toBeGreaterThan(0)
  expect(open.filter(({ bodyCap }) => bodyCap !== 'account').map(({ path }) => path)).toEqual([])
})

test('every route that reads says which parts of the event it shows, or needs a permission', () => {
  const silent = allRoutes.filter(
    ({ method, auth, perms, shows }) => method === 'GET' && auth !== 'service' && !perms?.length && !shows,
  )
  expect(silent.map(({ path }) => path)).toEqual([])
})
