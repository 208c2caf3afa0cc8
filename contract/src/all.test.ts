import { expect, test } from 'vitest'
import { allRoutes } from './all.ts'

// The specification's tables, row by row; `[v2,v1]` as there. A route that is missing or was never asked for fails.

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

/** Part of the product beside the specification (ruling 15). Health answers plain text and is no route. */
const additions = `
GET [v2] admin/flags/providers
PATCH [v2] admin/users/:id/avatar
GET [v2] challs/:id/scores
GET [v2] external-auth/clients/:id
POST [v2] external-auth/authorize
GET [v2] integrations/captcha/challenge
POST [v2] admin/admin-bot/jobs/:id/renew
GET [v2] admin/instances
GET [v2] admin/overview
GET [v2] admin/scores/preview
DELETE [v2] admin/challs/:challengeId/instances/:userId
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

test('the routes are those of the specification and the few that we add', () => {
  const expected = [...routesOf(specified), ...routesOf(additions), 'GET /api/openapi.json']
  const declared = allRoutes.map(({ method, path }) => `${method} ${path}`)
  expect(declared.toSorted()).toEqual(expected.toSorted())
})
