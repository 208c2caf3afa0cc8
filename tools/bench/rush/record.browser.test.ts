import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { launch } from '../../../web/e2e/browser.ts'
import { recordSite } from './record.ts'
import { builtAssets, readRecording, requestOf, STEPS } from './recording.ts'

/** Two visits, with pauses in which the site may ask for more. */
const LIMIT_MS = 4 * MINUTE_MS

test(
  'the rush of the benchmark asks what the site asks; otherwise record it again: npm run bench -- --record',
  async () => {
    const recorded = readRecording()
    // The same program as when it was recorded, which the shared browser is not.
    const browser = await launch()
    const now = await recordSite(browser).finally(() => browser.close())
    // On a busy machine a request belongs to a later step, or comes after the visit.
    const known = new Set(STEPS.flatMap((step) => recorded[step]))
    const asked = STEPS.flatMap((step) => now[step])
    expect(asked.filter((line) => !known.has(line))).toEqual([])
    expect(asked.length).toBeGreaterThan(known.size / 2)
    // Every file exists in the build, under the name that the rush asks for.
    const assets = builtAssets()
    const paths = STEPS.flatMap((step) => recorded[step]).map((line) => requestOf(line, assets).path)
    expect(paths.filter((path) => path.includes('*'))).toEqual([])
    expect(paths.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(10)
  },
  LIMIT_MS,
)
