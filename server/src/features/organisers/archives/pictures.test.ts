import { createHash } from 'node:crypto'
import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import { expect, test } from 'vitest'
import { startContest } from '../../../../test/harness.ts'
import { zipOf } from '../../../../test/zips.ts'

test('pictures beside a document are stored, and its texts have their addresses', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin()
  const text =
    '![Map](img/a%20map.png) ![](./img/a%20map.png?x) ![](../other/b.png) ![](none.png) `![](c.png)`'
  const hint = "![](../../../etc/x.png) <img src='c.png'>"
  const archive = zipOf([
    {
      name: 'web/pictures/challenge.yaml',
      content: `description: "${text}"\nhints: [{ text: "${hint}" }]\n`,
    },
    { name: 'web/pictures/img/a map.png', content: 'map' },
    { name: 'web/pictures/c.png', content: 'c' },
    { name: 'web/other/b.png', content: 'b' },
  ])
  const send = (query: { dryRun?: 'true' } = {}) => {
    const form = new FormData()
    form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
    return contest.call(importChallengeArchive, { token, query, form })
  }
  expect(await send()).toMatchObject({
    kind: 'goodChallengeArchiveImport',
    data: { problems: [], ignored: [], challenges: [{ state: 'created' }] },
  })
  const urlOf = (content: string, name: string) =>
    `/uploads/${createHash('sha256').update(content).digest('hex')}/${name}`
  const map = urlOf('map', 'a%20map.png')
  expect(await contest.call(readAdminChallengeV2, { token, params: { id: 'pictures' } })).toMatchObject({
    data: {
      description: `![Map](${map}) ![](${map}) ![](${urlOf('b', 'b.png')}) ![](none.png) \`![](c.png)\``,
    },
  })
  expect(await (await fetch(contest.url + map)).text()).toBe('map')
  expect(await (await fetch(contest.url + urlOf('c', 'c.png'))).text()).toBe('c')
  expect(await send({ dryRun: 'true' })).toMatchObject({ data: { challenges: [{ state: 'unchanged' }] } })
})
