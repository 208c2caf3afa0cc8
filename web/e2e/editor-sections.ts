import type { Locator, Page } from 'playwright-core'

/** The link to a section of the challenge editor, with what it says about errors and changes. */
export function sectionLink(page: Page, name: RegExp): Locator {
  return page.getByRole('navigation', { name: 'Challenge sections' }).getByRole('link', { name })
}

/** Jumps to a section of the challenge editor. */
export async function openSection(page: Page, name: RegExp): Promise<void> {
  await sectionLink(page, name).click()
  await page.locator('h3:focus').and(page.getByRole('heading', { name })).waitFor()
}
