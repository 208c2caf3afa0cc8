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
    for (const step of STEPS) expect(now[step].toSorted(), step).toEqual(recorded[step].toSorted())
    // Every file exists in the build, under the name that the rush asks for.
    const assets = builtAssets()
    const paths = STEPS.flatMap((step) => recorded[step]).map((line) => requestOf(line, assets).path)
    expect(paths.filter((path) => path.includes('*'))).toEqual([])
    expect(paths.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(10)
  },
  LIMIT_MS,
)
