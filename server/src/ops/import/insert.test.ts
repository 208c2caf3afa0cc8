import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { insertRows } from './insert.ts'

test('rows with different columns are stored completely', async () => {
  await using database = await openTestDatabase()
  await database.db.withClient(async (client) => {
    await client.query('create temporary table ports (id int, "order" int, name text)')
    const rows = [{ id: 1, order: 7 }, { id: 2, name: 'Hull' }, { id: 3 }, { id: 4 }]
    expect(await insertRows(client, 'ports', rows)).toBe(4)
    const stored = await client.query('select id, "order", name from ports order by id')
    expect(stored.rows).toEqual([
      { id: 1, order: 7, name: null },
      { id: 2, order: null, name: 'Hull' },
      { id: 3, order: null, name: null },
      { id: 4, order: null, name: null },
    ])
  })
})
