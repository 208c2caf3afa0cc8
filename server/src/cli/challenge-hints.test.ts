import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shareChallengeSite } from '../../test/challenge-folder.ts'
import { startContest } from '../../test/harness.ts'

const site = shareChallengeSite()
const { challenges, write, plan, apply } = site

describe('hints', () => {
  const document = (hints: string) => `name: Hinted\nhidden: false\nhints:\n${hints}`

  test('a round trip into an empty site is the same folder, without a change in the plan', async () => {
    await write({
      'web/hinted/challenge.yaml': document(
        '  - { text: { file: one.md } }\n  - { text: two, price: 20, release: { after: 5 } }\n',
      ),
      'web/hinted/one.md': 'The secret first hint\n'.repeat(100),
    })
    const applied = await apply()
    expect(applied).toMatchObject({ status: 0 })
    // Logs of builds are often public.
    expect(applied.output).toContain('hints: 2 hints')
    expect(applied.output).not.toContain('secret first')
    expect(await apply()).toMatchObject({ status: 0, output: '0 changes' })
    const [here, there] = [join(site.folder.path, 'here'), join(site.folder.path, 'there')]
    await challenges(['export', here])
    await using fresh = await startContest()
    const env = { PENNANT_URL: fresh.url, PENNANT_TOKEN: (await fresh.admin()).token }
    expect(await challenges(['apply', join(here, 'web')], env)).toMatchObject({ status: 0 })
    await challenges(['export', there], env)
    const path = join('web', 'hinted', 'challenge.yaml')
    expect(await readFile(join(there, path), 'utf8')).toBe(await readFile(join(here, path), 'utf8'))
    expect(await readFile(join(there, 'web/hinted/hint-1.md'), 'utf8')).toContain('secret first hint')
    expect(await challenges(['plan', there], env)).toMatchObject({ status: 0, output: '0 changes' })
  })

  test('shows a changed hint as a difference, and what the server refuses at its line', async () => {
    await write({ 'web/hinted/challenge.yaml': document('  - { text: one }\n') })
    await apply()
    await write({ 'web/hinted/challenge.yaml': document('  - { text: one, price: 5 }\n  - { text: two }\n') })
    expect((await plan('--show-secrets')).output).toContain('"price":5')
    expect((await apply()).output).toContain('hints: 1 hint → 2 hints')
    await write({ 'web/hinted/challenge.yaml': document('  - { text: one, price: 5.5 }\n') })
    expect((await plan()).complaints).toMatch(/^web\/hinted\/challenge\.yaml:4: error: hints\.0\.price: /m)
  })
})
