import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testServer } from '../../server/test/database.ts'
import { isInstalled } from '../../server/test/security/proxies.ts'
import { rollOver } from './rolling.ts'

const program = join(import.meta.dirname, '../../server/dist/main.js')
const STAGE_MS = 1_000

// The previous release is not in the repository, so both versions are this one; `npm run upgrades -- rolling` plays others.
test.skipIf(!isInstalled('haproxy'))(
  'no request fails while two replicas are replaced one by one',
  async () => {
    const options = { from: program, to: program, serverUrl: testServer().url, stageMs: STAGE_MS }
    const { requests, failures, lost, verified } = await rollOver(options)
    expect(failures).toEqual([])
    expect(lost).toEqual([])
    expect(verified).toContain('ok     served standings')
    for (const count of Object.values(requests)) expect(count).toBeGreaterThan(10)
  },
)
