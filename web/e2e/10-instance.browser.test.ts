import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { botConfig, botSettings, workerOf } from '../../server/test/bot-contest.ts'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import { announced, openSite, PATIENCE_MS } from './harness.ts'
import { openWithClock } from './moved-clock.ts'

const instancerConfig = {
  challengeIntegrationId: 'cabin',
  config: {},
  timeoutMilliseconds: 1_800_000,
  expose: [
    { kind: 'tcp', hostPrefix: 'cabin', containerName: 'a', containerPort: 1, title: 'The cabin' },
    { kind: 'https', hostPrefix: 'deck', containerName: 'a', containerPort: 2 },
  ],
}

test('an instance is started, reached, extended and stopped', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('cabin', { name: 'Cabin', instancerConfig })
  await site.addChallenge('wreck', {
    name: 'Wreck',
    instancerConfig: { ...instancerConfig, challengeIntegrationId: 'wreck', config: { outcome: 'refused' } },
  })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.goto('/challenges/cabin')
  await page.getByText('Not running. It stops 30 min after it starts.').waitFor()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('Starting…').waitFor()
  // The button is gone, so the focus moves to the result.
  await expect.poll(() => focused(page)).toBe('Starting…')
  await page.getByRole('button', { name: 'Stop' }).focus()
  site.contest.clock.advance(3_000)
  await page.getByText('Running', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('Running')
  await page.getByText(/^nc cabin-[a-z2-7]{20}\.instances\.localhost 1337$/).waitFor()
  await page.getByRole('link', { name: /^https:\/\/deck-/ }).waitFor()
  await page.getByText(/Time left/).waitFor()
  // The status dot is animated unless motion is reduced.
  const moving = () => page.evaluate(() => document.getAnimations().length)
  await expect.poll(moving).toBe(1)
  await page.evaluate(() => document.documentElement.setAttribute('data-motion', 'reduced'))
  expect(await moving()).toBe(0)
  const picture = process.env['PENNANT_TEST_PICTURES']
  if (picture !== undefined) writeFileSync(`${picture}/instance.png`, await page.screenshot())
  const extended = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Extend' }).click()
  expect((await extended).status()).toBe(200)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Press again to confirm' }).click()
  await page.getByText('Stopping…').waitFor()
  await expect.poll(() => focused(page)).toBe('Stopping…')
  site.contest.clock.advance(3_000)
  await page.getByText('Not running. It stops 30 min after it starts.').waitFor()

  await page.goto('/challenges/wreck')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText(/The instance cannot be started/).waitFor()
  expect(site.complaints).toEqual([])
})

test('an instance about to stop is announced on other pages and in the title', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  const lives = { ...instancerConfig, timeoutMilliseconds: 420_000 }
  await site.addChallenge('cabin', { name: 'Cabin', instancerConfig: lives })
  await site.addChallenge('deck', { name: 'Deck' })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  const shown = page.getByText('Not running. It stops 7 min after it starts.')
  const time = await openWithClock(page, site, { path: '/challenges/cabin', shown })
  await page.getByRole('button', { name: 'Start' }).click()
  await time.see(page.getByText('Starting…'))
  await time.pass(5)
  await time.see(page.getByText('Running', { exact: true }))
  const list = page.getByRole('navigation', { name: 'Challenge list' })
  await list.getByRole('link', { name: /Deck/ }).click()
  await time.see(page.getByRole('heading', { name: 'Deck' }))
  const warning = page.getByText('Your instance of Cabin stops in 5 min.')
  await time.pass(100)
  expect(await warning.count()).toBe(0)
  await expect.poll(() => page.title()).toMatch(/^Deck/)
  // It disappears automatically.
  for (let second = 0; second < 30 && (await warning.count()) === 0; second++) await time.pass(1)
  await time.see(warning)
  await list.getByRole('link', { name: /Cabin/ }).click()
  await time.see(page.getByText(/Time left/))
  await time.pass(3)
  await expect.poll(() => page.title()).toMatch(/^\(4:\d\d\) Cabin/)
  expect(site.complaints).toEqual([])
})

test('connections are copied without the clipboard API, as on plain HTTP', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('cabin', { name: 'Cabin', instancerConfig })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.goto('/challenges/cabin')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('Starting…').waitFor()
  site.contest.clock.advance(3_000)
  await page.getByText('Running', { exact: true }).waitFor()
  const flag = page.getByRole('textbox', { name: 'Flag' })
  await page.locator('[data-connection] button').first().click()
  await announced(page, 'Copied').waitFor()
  await flag.press('Control+v')
  expect(await flag.inputValue()).toMatch(/^nc cabin-/)
  await page.getByRole('button', { name: 'Other formats' }).first().click()
  await page.getByRole('menuitem', { name: 'Copy for pwntools' }).click()
  const pasted = async () => {
    await flag.fill('')
    await flag.press('Control+v')
    return flag.inputValue()
  }
  await expect.poll(pasted, { timeout: PATIENCE_MS }).toMatch(/^remote/)
  await page.evaluate(() => Object.defineProperty(document, 'execCommand', { value: () => false }))
  await page.getByRole('button', { name: 'Other formats' }).first().click()
  await page.getByRole('menuitem', { name: 'Copy for pwntools' }).click()
  await page.getByText(/^Could not copy. Copy it manually: remote/).waitFor()
  expect(site.complaints).toEqual([])
})

test('a link is queued for the bot, and its log can be read', async () => {
  await using site = await openSite(botConfig)
  await putChallenge(site.contest.db, challengeRow('parrot', { adminBotConfig: botSettings }))
  const team = await site.contest.team('Sailors')
  const page = await site.visitor({ team })
  await page.goto('/challenges/parrot')
  const input = page.getByRole('textbox', { name: 'url' })
  await input.fill('nothing')
  await page.getByRole('button', { name: 'Send to bot' }).click()
  await page.getByText('This does not match the required pattern.').waitFor()
  await input.fill('https://evil.example/')
  await page.getByRole('button', { name: 'Send to bot' }).click()
  await page.getByText('queued · 1st in line', { exact: true }).waitFor()
  const mate = await site.visitor({ team })
  await mate.goto('/challenges/parrot')
  await mate.getByText('queued · 1st in line (sent by your team)').waitFor()
  const line = { time: '2026-05-01T12:00:00Z', level: 'info', prefix: 'challenge', line: 'a parrot was seen' }
  await workerOf(site.contest, () => ({ ends: 'completed', logs: JSON.stringify(line) })).drain()
  await page.getByRole('status').getByText('completed').waitFor()
  // The event lasts for days, so a time of day alone would be ambiguous.
  const visit = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Logs' }) })
  expect(await visit.locator('time').textContent()).toContain(String(new Date().getUTCFullYear()))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Logs' }).click()
  await page.getByText('a parrot was seen').waitFor()
  const box = await page.getByRole('dialog', { name: 'Logs' }).boundingBox()
  // Leaves room for the scroll bar.
  expect(box).toMatchObject({ x: 0, y: 0, height: 740 })
  expect(site.complaints).toEqual([])
})

/** Text of the focused element. */
function focused(page: Page) {
  return page.evaluate(() => document.activeElement?.textContent)
}
