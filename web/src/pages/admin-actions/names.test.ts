import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { adminActionsMessages } from '../../text/en/admin-actions.ts'

const page = new URL('../../../../docs/reference/actions.md', import.meta.url)

/** The first column of the table of actions. server/test/journeys/action-log.test.ts checks that it has all of them. */
function documentedActions(): string[] {
  const rows = readFileSync(page, 'utf8').matchAll(
    /^\| (`[a-z-]+\.[a-z.-]+`(?:, `[a-z-]+\.[a-z.-]+`)*) +\| [^|]*\| [^|]*\|$/gm,
  )
  const table = Array.from(rows, ([, cell = '']) => cell)
  return [...new Set(table.flatMap((cell) => cell.replaceAll('`', '').split(', ')))]
}

test('every documented action has a name, and its kind can be filtered', () => {
  const { names, kinds } = adminActionsMessages.english
  expect(Object.keys(names).toSorted()).toEqual(documentedActions().toSorted())
  const found = new Set(documentedActions().map((action) => action.slice(0, action.indexOf('.'))))
  expect(Object.keys(kinds).toSorted()).toEqual([...found].toSorted())
})
