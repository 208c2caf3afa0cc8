import { listAdminInstances, stopAdminInstance } from '@pennant/contract/admin-instances.ts'
import { startInstance } from '@pennant/contract/instances.ts'
import { expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest } from '../../../../test/harness.ts'
import { instancerToken, startFakeInstancer } from '../../../../test/fake-instancer.ts'

const settings = { challengeIntegrationId: 'web-1', config: {}, expose: [], timeoutMilliseconds: 60_000 }
const page = { limit: '10', offset: '0' }
const memory = { instancers: { local: { name: 'instancers/memory' } } }

test('organisers see all instances with their teams, and can stop one', async () => {
  await using contest = await startContest({ config: memory })
  const { call } = contest
  await putChallenge(contest.db, challengeRow('web', { name: 'Web', instancerConfig: settings }))
  const [admin, team] = [await contest.admin(), await contest.team()]
  const { token } = admin
  const nothing = { kind: 'goodAdminInstances', data: { total: 0, instances: [] } }
  expect(await call(listAdminInstances, { token, query: page })).toMatchObject(nothing)
  await call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  contest.clock.advance(6_000)
  expect(await call(listAdminInstances, { token, query: page })).toMatchObject({
    data: {
      total: 1,
      instances: [
        {
          instancer: 'local',
          host: null,
          userId: team.id,
          challengeIntegrationId: 'web-1',
          challengeId: 'web',
          challengeName: 'Web',
          status: 'running',
          timeLeftMilliseconds: 54_000,
        },
      ],
      hosts: [{ instancer: 'local', host: 'memory', used: 1, isUp: true }],
    },
  })
  const params = { challengeId: 'web', userId: team.id }
  expect(await call(stopAdminInstance, { token, params })).toMatchObject({
    kind: 'goodInstanceStatus',
    data: { status: 'stopping' },
  })
  const [action] = await contest.db.query<{ action: string; target: string }>({
    text: `select action, target from admin_actions where action = 'instance.stop'`,
    values: [],
  } as never)
  expect(action).toEqual({ action: 'instance.stop', target: `web ${team.id}` })
})

test('shows started instances of an engine that cannot list, and that it is down', async () => {
  await using engine = await startFakeInstancer()
  const options = { apiUrl: engine.url, authToken: instancerToken }
  await using contest = await startContest({
    config: { instancers: { far: { name: 'instancers/http', options } } },
  })
  await putChallenge(contest.db, challengeRow('web', { instancerConfig: settings }))
  const [{ token }, team] = [await contest.admin(), await contest.team()]
  await contest.call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  expect(await contest.call(listAdminInstances, { token, query: page })).toMatchObject({
    data: { total: 1, instances: [{ instancer: 'far', status: null, userId: team.id }], hosts: [] },
  })
  engine.mood = 'failing'
  const params = { challengeId: 'web', userId: team.id }
  expect(await contest.call(stopAdminInstance, { token, params })).toMatchObject({
    kind: 'badInstancerError',
  })
  contest.clock.advance(6_000)
  expect(await contest.call(listAdminInstances, { token, query: page })).toMatchObject({
    data: { hosts: [{ instancer: 'far', isUp: false }] },
  })
})

test('an engine that is down is shown, and a start that it refused is not an instance', async () => {
  const options = { hosts: [{ name: 'only', url: 'unix:///nonexistent/engine.sock' }] }
  await using contest = await startContest({
    config: { instancers: { main: { name: 'instancers/docker', options } } },
  })
  const app = { services: { app: { image: 'registry.test/app:1' } } }
  await putChallenge(contest.db, challengeRow('web', { instancerConfig: { ...settings, config: app } }))
  const [{ token }, team] = [await contest.admin(), await contest.team()]
  const started = await contest.call(startInstance, { token: team.token, params: { id: 'web' }, body: {} })
  expect(started).toMatchObject({ kind: 'badInstancerError' })
  expect(await contest.call(listAdminInstances, { token, query: page })).toMatchObject({
    data: { total: 0, instances: [], hosts: [{ instancer: 'main', host: 'only', isUp: false }] },
  })
})

test('without an instancer the routes do not exist, and unknown challenges are reported', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin()
  expect(await contest.call(listAdminInstances, { token, query: page })).toMatchObject({
    kind: 'badEndpoint',
  })
  const params = { challengeId: 'web', userId: 'somebody' }
  expect(await contest.call(stopAdminInstance, { token, params })).toMatchObject({ kind: 'badEndpoint' })
  await using other = await startContest({ config: memory })
  const admin = await other.admin()
  expect(await other.call(stopAdminInstance, { token: admin.token, params })).toMatchObject({
    kind: 'badChallenge',
  })
})
