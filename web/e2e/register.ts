import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Site } from './harness.ts'

/** A contest that verifies email addresses and keeps its emails in `contest.mails`. */
export const mailed = {
  email: { from: 'ctf@ctf.example', provider: { name: 'emails/memory', options: {} } },
}

/** Registers a team and returns the path of the link in the first email. */
export async function registerByMail({ contest }: Site, page: Page, team: { name: string; email: string }) {
  await page.goto('/register')
  await page.getByLabel('Team name').fill(team.name)
  await page.getByLabel('Email address').fill(team.email)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { level: 1, name: 'Check your inbox' }).waitFor()
  await expect.poll(() => contest.mails.length).toBe(1)
  return /\/verify\?token=[^\s"<\\]+/.exec(JSON.stringify(contest.mails[0]))?.[0] ?? ''
}
