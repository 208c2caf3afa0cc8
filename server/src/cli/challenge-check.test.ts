import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openChallengeFolder, runChallenges } from '../../test/challenge-folder.ts'
import { startContest } from '../../test/harness.ts'

test('tries the flags of a folder on the site and submits nothing', async () => {
  await using contest = await startContest()
  await using folder = await openChallengeFolder()
  const { token } = await contest.admin()
  const challenges = (command: string) =>
    runChallenges([command, folder.path], { PENNANT_URL: contest.url, PENNANT_TOKEN: token })
  const flags = 'flags:\n  - flag: flag{checked}\n  - kind: regex\n    pattern: "^a+$"\n'
  await folder.write({ 'web/checked/challenge.yaml': `name: Checked\nhidden: true\n${flags}` })
  expect(await challenges('apply')).toMatchObject({ status: 0 })

  const checked = await challenges('check')
  expect(checked).toMatchObject({ status: 0, complaints: '' })
  expect(checked.output).toContain('checked  web/checked/challenge.yaml: flag 1: accepted')
  expect(checked.output).toContain('flag 2: not tried')
  expect(checked.output).not.toContain('flag{checked}')

  const data = { flags: [{ config: { flag: 'flag{edited}' } }] }
  await contest.call(putChallengeV2, { token, params: { id: 'checked' }, body: { data } })
  await folder.write({ 'web/absent/challenge.yaml': 'name: Absent\nflags:\n  - flag: flag{absent}\n' })
  const refused = await challenges('check')
  expect(refused.status).toBe(1)
  expect(refused.output).toContain('flag 1: REFUSED: the site has other flags')
  expect(refused.output).toContain('flag 1: REFUSED: there is no such challenge on the site')
  expect(refused.complaints).toContain('does not accept 2 of 3 flags')
  expect(await contest.db.query(sql`select from submissions`)).toEqual([])
})
