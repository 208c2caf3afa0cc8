import { WarningCode } from '@pennant/contract/overview.ts'
import { expect, test } from 'vitest'
import { dashboard as de } from '../../text/de/dashboard.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { warningText } from './warning-text.ts'

test('a warning is translated with its names and numbers, or shown as sent', () => {
  const disk = 'The database disk has 0.7 GiB left.'
  expect(warningText(de.warningTexts, 'diskLow', disk)).toBe(
    'Auf der Platte der Datenbank sind noch 0.7 GiB frei.',
  )
  const away = 'Instances cannot start on engines that do not respond: host2 of docker, here.'
  expect(warningText(de.warningTexts, 'instancerUnreachable', away)).toContain(': host2 of docker, here.')
  expect(warningText(de.warningTexts, 'ofTomorrow', disk)).toBe(disk)
  expect(warningText(dashboardMessages.english.warningTexts, 'diskLow', disk)).toBe(disk)
})

test('every server warning has a German text', () => {
  expect(Object.keys(de.warningTexts).sort()).toEqual([...WarningCode.options].sort())
})
