import { createHash } from 'node:crypto'
import { putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import { expect, test } from 'vitest'
import { startContest } from '../../../../test/harness.ts'
import { otherSite, PNG } from '../../../../test/other-site.ts'
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

test('a text that is too long with the addresses of its pictures is a problem', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin()
  const picture = '![](a.png)'
  const archive = zipOf([
    { name: 'web/long/challenge.yaml', content: 'description: { file: d.md }\n' },
    { name: 'web/long/d.md', content: picture + 'x'.repeat(200_000 - picture.length) },
    { name: 'web/long/a.png', content: 'a' },
  ])
  const form = new FormData()
  form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
  expect(await contest.call(importChallengeArchive, { token, query: {}, form })).toMatchObject({
    kind: 'badChallengeArchive',
    data: {
      problems: [
        {
          path: 'web/long/challenge.yaml',
          reason: expect.stringMatching(/^description: has 2000\d\d characters with the addresses/) as string,
        },
      ],
    },
  })
})

test('pictures of other sites are named, and stored if the importer wants it', async () => {
  await using contest = await startContest()
  const { token } = await contest.admin()
  await otherSite((request, response) => {
    response.statusCode = request.url === '/gone' ? 404 : 200
    response.end(PNG)
  })
  const text = '![](http://pictures.example/a) ![](http://pictures.example/gone) ![](/own.png)'
  const archive = zipOf([
    {
      name: 'web/far/challenge.yaml',
      content: `description: "${text}"\nhints: [{ text: "![](http://other.example/b)" }]\n`,
    },
  ])
  const send = (query: Partial<Record<'dryRun' | 'storePictures', 'true'>>) => {
    const form = new FormData()
    form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
    return contest.call(importChallengeArchive, { token, query, form })
  }
  const descriptionOf = async () => {
    const read = await contest.call(readAdminChallengeV2, { token, params: { id: 'far' } })
    return read.kind === 'goodAdminChallenge' ? read.data.description : read.kind
  }
  const named = {
    pictures: [
      { challenge: 'far', host: 'pictures.example', count: 2 },
      { challenge: 'far', host: 'other.example', count: 1 },
    ],
    pictureCount: 3,
  }
  expect(await send({ dryRun: 'true', storePictures: 'true' })).toMatchObject({
    kind: 'goodChallengeArchivePlan',
    data: { ...named, picturesLeft: [] },
  })
  expect(await send({})).toMatchObject({
    kind: 'goodChallengeArchiveImport',
    data: { ...named, picturesLeft: [] },
  })
  expect(await descriptionOf()).toBe(text)
  // Nothing differs any more, so nothing is fetched.
  expect(await send({ storePictures: 'true' })).toMatchObject({ data: { pictures: [] } })
  await contest.call(putChallengeV2, { token, params: { id: 'far' }, body: { data: { description: '' } } })
  expect(await send({ storePictures: 'true' })).toMatchObject({
    kind: 'goodChallengeArchiveImport',
    data: { picturesLeft: [{ address: 'http://pictures.example/gone', reason: 'unreachable' }] },
  })
  const sha256 = createHash('sha256').update(PNG).digest('hex')
  const stored = `/uploads/${sha256}/${sha256.slice(0, 16)}.png`
  expect(await descriptionOf()).toBe(`![](${stored}) ![](http://pictures.example/gone) ![](/own.png)`)
  const response = await fetch(contest.url + stored)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
})
