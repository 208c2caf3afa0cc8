import { login as signIn } from '@pennant/contract/accounts.ts'
import { listMembers, readOwnProfileV2 } from '@pennant/contract/teams.ts'
import jsQR from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { announced, openSite } from './harness.ts'
import { mailed } from './register.ts'

test('a team changes its name, country and status, and sees when it changed its name too often', async () => {
  await using site = await openSite()
  const team = await site.contest.team()
  const page = await site.visitor({ team })
  const form = await sectionOf(page, 'Team')
  const name = form.getByLabel('Team name')
  const save = form.getByRole('button')
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await name.fill('Sailors')
  await form.getByLabel('Country').fill('Norw')
  await page.getByRole('option', { name: 'Norway (NO)' }).click()
  await form.getByLabel('Status').fill('Ahoy')
  await save.click()
  await announced(page, 'Saved').waitFor()
  expect(await ownTeam(site.contest, team.token)).toMatchObject({
    name: 'Sailors',
    countryCode: 'NO',
    statusText: 'Ahoy',
  })

  // What is typed while the team is read again is kept.
  const late = await holdTeam(page)
  await name.fill('Sailors 2')
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await form.getByRole('button', { name: 'Save' }).click()
  await stored
  await name.fill('Sailors 3')
  late.release()
  await expect.poll(async () => (await ownTeam(site.contest, team.token)).name).toBe('Sailors 2')
  await form.getByRole('button', { name: 'Save', disabled: false }).waitFor()
  expect(await name.inputValue()).toBe('Sailors 3')

  for (const next of ['Sailors 3']) {
    await name.fill(next)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await ownTeam(site.contest, team.token)).name).toBe(next)
  }
  await name.fill('Sailors 4')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor()
  expect(await name.inputValue()).toBe('Sailors 4')

  await page.getByRole('link', { name: 'Scoreboard' }).first().click()
  const question = page.getByRole('dialog').filter({ hasText: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  expect(new URL(page.url()).pathname).toBe('/settings')
  await page.getByRole('link', { name: 'Scoreboard' }).first().click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/scores')
  expect(site.complaints).toEqual([])
})

test('a team mate scans the invitation and is signed in on a phone, until the team signs out everywhere', async () => {
  await using site = await openSite()
  const team = await site.contest.team()
  const page = await site.visitor({ team })
  const section = await sectionOf(page, 'Team token')
  await section.getByRole('button', { name: 'Show QR code' }).click()
  const link = await readCode(section.getByRole('img', { name: /^QR code of the invitation link/ }))
  const { origin, pathname, search, hash } = new URL(link)
  expect({ origin, pathname, search }).toEqual({
    origin: new URL(page.url()).origin,
    pathname: '/verify',
    search: '',
  })
  expect(hash).toMatch(/^#token=.+/)

  const phone = await site.visitor({ viewport: { width: 360, height: 720 } })
  const requested: string[] = []
  phone.on('request', (request) => requested.push(request.url()))
  await phone.goto(link)
  await phone.getByText(/^This signs you in as /).waitFor()
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await phone.waitForURL('**/')
  await phone.goto('/settings')
  await sectionOf(phone, 'Team token')
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  expect(requested.filter((url) => url.includes(encodeURIComponent(token)))).toEqual([])

  await section.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await section.getByText(/^Signed out everywhere else/).waitFor()
  // The old code is gone with its token.
  await section.getByRole('button', { name: 'Show QR code' }).waitFor()
  const late = await site.visitor({})
  await late.goto(link)
  await late.getByRole('heading', { level: 1, name: 'Confirm' }).waitFor()
  expect(await late.getByRole('button', { name: 'Sign in' }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('an avatar is cropped with the keyboard, uploaded and removed', async () => {
  await using site = await openSite()
  const team = await site.contest.team()
  const page = await site.visitor({ team })
  const section = await sectionOf(page, 'Avatar')
  await section
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await section.getByText('This file is not a supported image.').waitFor()
  await section
    .locator('input[type=file]')
    .setInputFiles({ name: 'crew.png', mimeType: 'image/png', buffer: await wideImage(page) })
  await section.locator('[tabindex="0"]').press('ArrowRight')
  await section.getByRole('button', { name: 'Save avatar' }).click()
  await announced(page, 'Saved').waitFor()
  await expect.poll(async () => (await ownTeam(site.contest, team.token)).avatarUrl).not.toBeNull()
  const remove = section.getByRole('button').filter({ hasNotText: 'Choose' }).first()
  await remove.click()
  await remove.click()
  await announced(page, 'Avatar removed.').waitFor()
  await expect.poll(async () => (await ownTeam(site.contest, team.token)).avatarUrl).toBeNull()
  expect(site.complaints).toEqual([])
})

test('a new email address waits for its link, and removing a member can be undone', async () => {
  await using site = await openSite({ userMembers: true, ...mailed })
  const { contest } = site
  const team = await contest.team()
  const page = await site.visitor({ team })
  const before = (await ownTeam(contest, team.token)).email
  const address = await sectionOf(page, 'Email')
  await address.getByLabel('Email address').fill('bridge@ctf.example')
  await address.getByRole('button', { name: 'Change email' }).click()
  await address.getByText('We sent a link to the new address. Open it to confirm the change.').waitFor()
  await expect.poll(() => contest.mails.length).toBe(1)
  expect((await ownTeam(contest, team.token)).email).toBe(before)

  const members = page.getByRole('region', { name: 'Members' })
  for (const email of ['mate@ctf.example', 'cook@ctf.example']) {
    await members.getByLabel("Member's email address").fill(email)
    await members.getByRole('button', { name: 'Add member' }).click()
    await members.getByRole('button', { name: `Remove ${email}` }).waitFor()
  }
  await members.getByRole('button', { name: 'Remove mate@ctf.example' }).click()
  await members.getByRole('button', { name: 'Undo removing mate@ctf.example' }).click()
  await members.getByRole('button', { name: 'Remove cook@ctf.example' }).click()
  await announced(page, 'Member removed.').waitFor()
  const listed = await contest.call(listMembers, { token: team.token })
  expect(listed).toMatchObject({ kind: 'goodMemberData', data: [{ email: 'mate@ctf.example' }] })
  expect(site.complaints).toEqual([])
})

test('a team signs out everywhere: both tabs here stay signed in with a new token, another browser does not', async () => {
  await using site = await openSite()
  const team = await site.contest.team('Sailors')
  const oldToken = site.contest.app.stores.tokens.issueTeam(team.id)
  const page = await site.visitor()
  await page.goto('/login?next=%2Fsettings')
  const field = page.getByLabel('Team token', { exact: false }).first()
  await field.fill(oldToken)
  await field.press('Enter')
  const form = page.getByRole('region', { name: 'Team', exact: true })
  await form.getByLabel('Status').fill('not saved yet')
  const tab = await page.context().newPage()
  await tab.goto('/settings')
  await tab.getByRole('region', { name: 'Team token' }).waitFor()
  const elsewhere = await site.visitor({ team })
  await elsewhere.goto('/settings')
  await elsewhere.getByRole('region', { name: 'Team token' }).waitFor()

  const section = page.getByRole('region', { name: 'Team token' })
  await section.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await question.getByText('You stay signed in here').waitFor()
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await section.getByText('Signed out everywhere else.').waitFor()
  expect(await form.getByLabel('Status').inputValue()).toBe('not saved yet')
  await section.getByRole('button', { name: 'Reveal' }).click()
  const newToken = (await section.locator('code').textContent()) ?? ''
  const login = (teamToken: string) => site.contest.call(signIn, { body: { teamToken } })
  expect((await login(newToken)).kind).toBe('goodLogin')
  expect((await login(oldToken)).kind).toBe('badTokenVerification')

  // Both send a request: one with the new token, one with the revoked one.
  for (const here of [page, tab]) {
    await here.goto('/profile')
    await here.getByRole('heading', { level: 1, name: 'Sailors' }).waitFor()
  }
  await elsewhere.goto('/settings')
  await elsewhere.getByText('You were signed out', { exact: false }).first().waitFor()
  expect(site.complaints).toEqual([])
})

async function sectionOf(page: Page, title: string) {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: title, exact: true })
  await section.waitFor()
  return section
}

/** Holds the responses with the own team until they are released. */
async function holdTeam(page: Page) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  await page.route(/\/api\/v2\/users\/me$/, async (route) => {
    if (route.request().method() === 'GET') await opened
    await route.continue()
  })
  return { release: () => open() }
}

async function ownTeam(contest: Awaited<ReturnType<typeof openSite>>['contest'], token: string) {
  const response = await contest.call(readOwnProfileV2, { token })
  if (response.kind !== 'goodUserSelfData') throw new Error(JSON.stringify(response))
  return response.data
}

/** An image that the browser draws, twice as wide as high. */
async function wideImage(page: Page): Promise<Buffer> {
  const address: string = await page.evaluate(
    "Object.assign(document.createElement('canvas'), { width: 400, height: 200 }).toDataURL('image/png')",
  )
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

/** Decodes the picture of a QR code, as a phone does. */
async function readCode(picture: Locator): Promise<string> {
  const { data, info } = await sharp(await picture.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const code = jsQR(new Uint8ClampedArray(data), info.width, info.height)
  if (!code) throw new Error('the picture is no QR code')
  return code.data
}
