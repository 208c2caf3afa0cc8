import { WarningCode } from '@pennant/contract/overview.ts'
import { expect, test } from 'vitest'
import { dashboard as de } from '../../text/de/dashboard.ts'
import { dashboard as en } from '../../text/en/dashboard.ts'
import { warningText } from './warning-text.ts'

test('a warning is told in German with the names and numbers of the server, else in its own words', () => {
  const disk = 'The disk of the database has 0.7 GiB left.'
  expect(warningText(de.warningTexts, 'diskLow', disk)).toBe(
    'Auf der Platte der Datenbank sind noch 0.7 GiB frei.',
  )
  const away = 'Instances cannot be started where an engine does not answer: host2 of docker, here.'
  expect(warningText(de.warningTexts, 'instancerAway', away)).toContain(': host2 of docker, here.')
  expect(warningText(de.warningTexts, 'ofTomorrow', disk)).toBe(disk)
  expect(warningText(en.warningTexts, 'diskLow', disk)).toBe(disk)
})

test('every warning of the server has German words', () => {
  expect(Object.keys(de.warningTexts).sort()).toEqual([...WarningCode.options].sort())
})
