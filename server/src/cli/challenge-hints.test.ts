import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openChallengeFolder, runChallenges, type ChallengeFolder } from '../../test/challenge-folder.ts'
import { startContest, type Contest, type Member } from '../../test/harness.ts'

let contest: Contest
let admin: Member
let folder: ChallengeFolder
beforeAll(async () => {
  contest = await startContest()
})
beforeEach(async () => {
  // Each test is another organiser, because imports are limited.
  admin = await contest.admin()
  folder = await openChallengeFolder()
})
afterEach(() => folder[Symbol.asyncDispose]())
afterAll(() => contest[Symbol.asyncDispose]())

const write: ChallengeFolder['write'] = (files) => folder.write(files)
const challenges = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runChallenges(args, { PENNANT_URL: contest.url, PENNANT_TOKEN: admin.token, ...env })
const plan = (...args: readonly string[]) => challenges(['plan', folder.path, ...args])
const apply = (...args: readonly string[]) => challenges(['apply', folder.path, ...args])

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
    const [here, there] = [join(folder.path, 'here'), join(folder.path, 'there')]
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
