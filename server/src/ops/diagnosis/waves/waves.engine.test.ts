import { readWaveCheck, startWaveCheck } from '@pennant/contract/wave-checks.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { FLAG_SERVICE, leftovers, OUTWARD_ADDRESS, service, tcp } from '../../../../test/docker-instances.ts'
import { startEngine } from '../../../../test/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startContest } from '../../../../test/harness.ts'

const WITH_ENGINE_MS = 300_000

test(
  'on a real engine, instances start and stop, those that cannot start are found, and nothing is left',
  async () => {
    await using engine = await startEngine()
    const hosts = [{ name: 'here', url: engine.url, publicHost: OUTWARD_ADDRESS, maxInstances: 10 }]
    const options = { manager: 'waves', hosts, stopGrace: 0 }
    await using contest = await startContest({
      config: { instancers: { main: { name: 'instancers/docker', options } } },
    })
    const { token } = await contest.admin()
    const configs = {
      sound: FLAG_SERVICE,
      missing: service('true', { image: 'localhost/there-is-none:1' }),
      refused: service('/bin/nothing-here'),
    }
    for (const [id, config] of Object.entries(configs)) {
      const instancerConfig = {
        challengeIntegrationId: id,
        config,
        expose: [tcp()],
        timeoutMilliseconds: 60_000,
      }
      await putChallenge(contest.db, challengeRow(id, { name: id, instancerConfig }))
    }
    const data = { name: 'Night', challengeIds: Object.keys(configs), force: true }
    const made = await contest.call(createWave, { token, body: { data } })
    if (made.kind !== 'goodWave') throw new Error(made.kind)
    const params = { id: made.data.wave.id }
    expect((await contest.call(startWaveCheck, { token, params })).kind).toBe('goodWaveCheckStart')
    const finished = await eventually(async () => {
      const response = await contest.call(readWaveCheck, { token, params })
      if (response.kind !== 'goodWaveCheck') throw new Error(response.kind)
      expect(response.data.state).toBe('finished')
      return response.data
    }, 500)
    const found = new Map(
      finished.challenges.map(({ id, checks }) => [id, checks.find(({ name }) => name === 'instance-start')]),
    )
    expect(found.get('sound')).toMatchObject({
      severity: 'ok',
      finding: expect.stringMatching(/and stopped\.$/),
    })
    for (const id of ['missing', 'refused'])
      expect(found.get(id)).toMatchObject({
        severity: 'error',
        finding: expect.stringContaining('did not start'),
      })
    expect(await leftovers(engine, 'waves')).toBe(0)
  },
  WITH_ENGINE_MS,
)
