import { createPage, listOwnAcceptances, updatePage } from '@pennant/contract/pages.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, gotoLive, openSite, type Site } from './harness.ts'

type Data = Parameters<typeof createPage.body.parse>[0] extends never ? never : Record<string, unknown>

async function addPage({ contest }: Site, admin: Member, data: Data): Promise<string> {
  const body = { data: { published: true, ...data } } as never
  const response = await contest.call(createPage, { token: admin.token, body })
  if (response.kind !== 'goodPageUpdate') throw new Error(JSON.stringify(response))
  return response.data.page.id
}

const text = (language: string, title: string, content: string) => ({ language, title, content })

test('an organiser writes a page from a suggestion, publishes it, and readers find it in their language', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin()
  const reader = await site.visitor()
  await gotoLive(reader, '/')
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/pages')
  await organiser.getByRole('link', { name: 'New page' }).first().click()
  await organiser.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'FAQ' })
  await organiser.getByRole('checkbox', { name: 'Published' }).check()
  await organiser.getByRole('tab', { name: 'Deutsch' }).click()
  await organiser.getByRole('textbox', { name: 'Title' }).fill('')
  await organiser.getByRole('button', { name: 'Save' }).click()
  await organiser.getByText('The title in Deutsch is missing.').first().waitFor()
  await organiser.getByRole('textbox', { name: 'Title' }).fill('Fragen')
  await organiser.getByRole('button', { name: 'Save' }).click()
  await organiser.getByRole('heading', { name: 'FAQ' }).waitFor()
  // The open page of a reader gets the link.
  await reader.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await reader.getByRole('heading', { name: 'FAQ', level: 1 }).waitFor()
  expect(await reader.title()).toContain('FAQ · ')
  await reader.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: 'Deutsch' }).click()
  await reader.getByRole('heading', { name: 'Fragen', level: 1 }).waitFor()
  await reader.getByRole('heading', { name: 'Wie nehme ich teil?' }).waitFor()
  // Unpublished under the eyes of the reader.
  await organiser.getByRole('checkbox', { name: 'Published' }).uncheck()
  await organiser.getByRole('button', { name: 'Save' }).click()
  await reader.getByText('This page does not exist, or it is not published.').waitFor()
  expect(site.complaints).toEqual([])
})

test('an organiser orders pages, compares versions and restores one', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin()
  const id = await addPage(site, admin, { slug: 'rules', texts: [text('en', 'Rules', 'Be kind.\nShare.')] })
  await addPage(site, admin, { slug: 'faq', place: 'menu', texts: [text('en', 'FAQ', '')] })
  const data = { version: 1, texts: [text('en', 'Rules', 'Be kind.\nDo not share.')] }
  accepted(await site.contest.call(updatePage, { token: admin.token, params: { id }, body: { data } }))
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/pages')
  await page.getByRole('button', { name: 'Move FAQ up' }).click()
  await page.getByRole('button', { name: 'Move FAQ down' }).waitFor()
  await page.getByRole('link', { name: 'Rules', exact: true }).first().click()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Compare with the current version' }).click()
  const lines = page.getByRole('region', { name: 'English' }).getByRole('listitem')
  expect(await lines.allTextContents()).toEqual(
    expect.arrayContaining(['Be kind.', 'removed: Share.', 'added: Do not share.']),
  )
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Version 1 is in the form. Save to publish it.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('Version 3').waitFor()
  expect(site.complaints).toEqual([])
})

test('a team accepts the rules on registration, and again after a change that matters', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin()
  await site.addChallenge('web')
  const id = await addPage(site, admin, {
    slug: 'rules',
    mustAccept: true,
    texts: [text('en', 'Rules', 'Be kind.')],
  })
  const page = await site.visitor()
  await page.goto('/register')
  await page.getByRole('textbox', { name: 'Name' }).fill('Sailors')
  await page.getByRole('textbox', { name: 'Email' }).fill('sailors@example.org')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('This field is required.').first().waitFor()
  await page.getByRole('checkbox', { name: 'We accept: Rules' }).check()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await gotoLive(page, '/challenges')
  const token = (await page.evaluate(() => localStorage.getItem('pennant.token'))) ?? ''
  await expect
    .poll(async () => (await site.contest.call(listOwnAcceptances, { token })).data, { timeout: 30_000 })
    .toMatchObject({ pages: [{ slug: 'rules', accepted: { version: 1 } }] })

  const data = { version: 1, material: true, texts: [text('en', 'Rules', 'Be very kind.')] }
  accepted(await site.contest.call(updatePage, { token: admin.token, params: { id }, body: { data } }))
  const notice = page.getByRole('status').filter({ hasText: 'your team must accept' })
  await notice.waitFor()
  const submit = () =>
    site.contest.call(submitFlag, { token, params: { id: 'web' }, body: { flag: 'flag{web}' } })
  expect((await submit()).kind).toBe('badPagesNotAccepted')
  await page.getByRole('button', { name: 'Accept for the team' }).click()
  await notice.waitFor({ state: 'detached' })
  expect((await submit()).kind).toBe('goodFlag')

  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/pages')
  await organiser.getByText('accepted by 1 of 1 team').waitFor()
  await organiser.getByRole('button', { name: 'Acceptances of Rules' }).click()
  await organiser.getByRole('dialog').getByRole('cell', { name: 'Sailors' }).waitFor()
  expect(site.complaints).toEqual([])
})
