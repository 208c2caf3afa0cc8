import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { shareChallengeSite } from '../../test/challenge-folder.ts'
import { PNG } from '../../test/other-site.ts'

const site = shareChallengeSite()
const { write, plan, apply, stored } = site

test('pictures beside the document are uploaded, and the text has their address', async () => {
  const description =
    'description: |\n  ![Map](img/a%20map.png "x") `![code](none.png)` <img alt="" src="img/b.svg">\n'
  await write({
    'web/map/challenge.yaml': `name: Map\n${description}hints: [{ text: "![](./img/b.svg)" }]\n`,
    'web/map/img/a map.png': 'map',
    'web/map/img/b.svg': '<svg/>',
  })
  expect(await plan()).toMatchObject({ status: 3, complaints: '' })
  expect(await apply()).toMatchObject({ status: 0 })
  const text = (await stored('map'))?.description ?? ''
  expect(text).toMatch(
    /^!\[Map\]\(\/uploads\/[0-9a-f]{64}\/a%20map\.png "x"\) `!\[code\]\(none\.png\)` <img alt="" src="\/uploads\/[^"]+\/b\.svg">/,
  )
  const [, address = ''] = /\((\S+) "x"\)/.exec(text) ?? []
  expect(await (await fetch(site.contest.url + address)).text()).toBe('map')
  expect(await plan()).toEqual({ status: 0, output: '0 changes', complaints: '' })
})

test('pictures that players do not see are warnings, and --store-pictures uploads those of other sites', async () => {
  const other = createServer((request, response) => {
    const isPicture = request.url === '/a.png'
    // What it is called does not decide.
    response.setHeader('content-type', isPicture ? 'text/html' : 'image/png')
    response.end(isPicture ? PNG : '<html>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const text = `![](${base}/a.png) ![](${base}/page) ![](none.png) ![](solve.py) ![](../../../etc/x.png) ![](/own.png)`
  await write({ 'web/far/challenge.yaml': `name: Far\ndescription: "${text}"\n`, 'web/far/solve.py': '' })
  const planned = await plan('--verbose')
  expect(planned.complaints).toContain(
    `web/far/challenge.yaml:2: warning: description: the picture ${base}/a.png is on another site, so players see a link: --store-pictures uploads it [picture]`,
  )
  expect(planned.complaints).toContain(
    'the picture none.png is relative, and there is no file web/far/none.png',
  )
  expect(planned.complaints).toContain('the picture solve.py is relative, and no picture by its name')
  expect(planned.complaints).toContain('there is no file ../etc/x.png')
  expect(planned.complaints).not.toContain('/own.png')
  const applied = await apply('--verbose', '--store-pictures')
  expect(applied.status).toBe(0)
  expect(applied.complaints).toContain(`${base}/page could not be fetched: its content is no PNG`)
  expect((await stored('far'))?.description).toMatch(
    /^!\[\]\(\/uploads\/[0-9a-f]{64}\/[0-9a-f]{16}\.png\) !\[\]\(http:/,
  )
  expect(await plan('--store-pictures')).toMatchObject({ status: 0, output: '0 changes' })
})

test('a text that is too long with the addresses of its pictures is an error', async () => {
  const picture = '![](a.png)'
  const text = picture + 'x'.repeat(200_000 - picture.length)
  await write({
    'web/long/challenge.yaml': 'name: Long\ndescription: { file: d.md }\n',
    'web/long/d.md': text,
  })
  expect((await plan()).complaints).not.toContain('characters with the addresses')
  await write({ 'web/long/a.png': PNG })
  const planned = await plan()
  expect(planned.status).toBe(1)
  expect(planned.complaints).toMatch(
    /web\/long\/challenge\.yaml:2: error: description: has 2000\d\d characters with the addresses of its stored pictures, and at most 200000 are possible/,
  )
})
