import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { mailed } from './register.ts'

test('an organiser writes to the teams that were chosen in the list, and one of them unsubscribes', async () => {
  await using site = await openSite(mailed)
  const { contest } = site
  const admin = await contest.admin()
  await contest.team('Sailors')
  await contest.team('Pilots')
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/teams')
  await page.getByRole('checkbox', { name: 'Select Sailors' }).check()
  await page.getByRole('button', { name: 'Write a mail' }).click()
  await page.getByText('Only 1 chosen team').waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('This field is required.').first().waitFor()
  await page.getByRole('textbox', { name: 'Subject' }).fill('Next year')
  await page.getByRole('textbox', { name: 'Text' }).fill('Dear {name}, come again.')
  await page.getByRole('combobox', { name: 'About' }).selectOption('other')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'The mail as it will be sent' })
  await preview.getByText('1 address gets this mail.').waitFor()
  await preview.getByText('Dear Sailors, come again.').waitFor()
  await preview.getByRole('button', { name: 'Send 1 mail' }).click()
  await page.getByRole('table', { name: 'Mail' }).getByText('Next year').waitFor()
  await page.getByRole('cell', { name: 'Sent', exact: true }).waitFor({ timeout: 60_000 })
  const mail = contest.mails.find(({ subject }) => subject.endsWith('Next year'))
  const link = /https?:\S+\/unsubscribe#token=\S+/.exec(mail?.text ?? '')?.[0]
  const reader = await site.visitor()
  await reader.goto(new URL(link ?? '').pathname + new URL(link ?? '').hash)
  await reader.getByRole('button', { name: 'Unsubscribe' }).click()
  await reader.getByText('Your address is unsubscribed.').waitFor()
  expect(reader.url()).not.toContain('token')
})
