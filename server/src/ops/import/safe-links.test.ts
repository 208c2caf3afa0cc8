import { expect, test } from 'vitest'
import type { ImportedContest } from './contest.ts'
import { createReport } from './report.ts'
import { withSafeLinks } from './safe-links.ts'

test('addresses that can run code are left out and reported; the others stay', () => {
  const files = [
    { name: 'a', url: '/uploads/a', size: null },
    { name: 'b', url: 'javascript:alert(1)', size: null },
  ]
  const settings = {
    ctfName: 'Name',
    faviconUrl: 'data:text/html,x',
    logoDarkUrl: 'https://pictures.example/logo.png',
    meta: { description: 'About', imageUrl: 'vbscript:x' },
    sponsors: [{ name: 'S', icon: 'data:image/png;base64,x', description: '', url: 'JAVA\nscript:x' }],
  }
  const report = createReport()
  const contest = { challenges: [{ name: 'C', files }], settings } as unknown as ImportedContest
  expect(withSafeLinks(contest, report)).toEqual({
    challenges: [{ name: 'C', files: [files[0]] }],
    settings: {
      ctfName: 'Name',
      logoDarkUrl: settings.logoDarkUrl,
      meta: { description: 'About' },
      sponsors: [{ name: 'S', icon: 'data:image/png;base64,x', description: '' }],
    },
  })
  const [finding] = report.findings()
  expect(finding).toMatchObject({ severity: 'loss', code: 'links' })
  expect(finding?.examples.toSorted()).toEqual(['C', 'S', 'faviconUrl', 'meta.imageUrl'])
})
