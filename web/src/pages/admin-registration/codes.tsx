import { listRegistrationCodes, revokeRegistrationCodes } from '@pennant/contract/registration.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { BulkBar } from '../../organisers/bulk.tsx'
import { CsvButton } from '../../organisers/csv-button.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { useNow } from '../../state/clock.ts'
import { adminRegistrationMessages } from '../../text/en/admin-registration.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { NewCodes } from './new-codes.tsx'
import { codesKey, codesQuery, codeState, type Code } from './queries.ts'
import { registerLink, Sheet } from './sheet.tsx'

/** Codes to register with: created, listed with their uses, revoked, exported and printed. */
export function Codes() {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const now = useNow()
  const queries = useQueryClient()
  const [page, setPage] = useState(0)
  const query = useQuery(codesQuery(page))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [printed, setPrinted] = useState<readonly Code[] | null>(null)
  const action = useAction()
  const columns = useColumns()
  const rows = query.data?.codes ?? []
  const chosen = rows.filter(({ id }) => selected.has(id))
  const refetch = () => void queries.invalidateQueries({ queryKey: codesKey })
  const revoke = async () => {
    const ids = chosen.map(({ id }) => id)
    const response = await action.run(() => send(revokeRegistrationCodes, { body: { data: { ids } } }))
    if (!response) return
    announce(text.revokedCount(format.number(response.data.revoked)))
    setSelected(new Set())
    refetch()
  }
  const usable = rows.filter((code) => codeState(code, now) === 'usable')
  return (
    <div className="pn-stack pn-gap-4">
      <ListTools
        end={
          <>
            {usable.length > 0 && <Button onClick={() => setPrinted(usable)}>{text.printAll}</Button>}
            <CsvButton name="registration-codes" head={HEAD} load={loadCsv} />
          </>
        }
      >
        <NewCodes onCreated={refetch} />
      </ListTools>
      <FailureLine>{action.failure}</FailureLine>
      {!query.data && <Waiting query={query} rows={6} />}
      {query.data && (
        <DataTable
          cards
          label={text.codes}
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          rowName={({ code }) => code}
          selected={selected}
          onSelect={setSelected}
          empty={<EmptyState isPart>{text.noCodes}</EmptyState>}
        />
      )}
      {query.data && <Pager page={page} total={query.data.total} onPage={setPage} />}
      <BulkBar count={chosen.length} onClear={() => setSelected(new Set())}>
        <Button onClick={() => setPrinted(chosen)}>{text.print}</Button>
        <Button tone="danger" busy={action.isPending} onClick={() => void revoke()}>
          {text.revoke}
        </Button>
      </BulkBar>
      {printed && <CodeSheet codes={printed} onDone={() => setPrinted(null)} />}
    </div>
  )
}

function CodeSheet({ codes, onDone }: { readonly codes: readonly Code[]; readonly onDone: () => void }) {
  const text = useMessages(adminRegistrationMessages)
  const slips = codes.map(({ id, code, label }) => ({
    id,
    link: registerLink(code),
    name: code,
    note: label,
  }))
  return <Sheet title={text.codes} slips={slips} about={text.sheetAbout(location.host)} onDone={onDone} />
}

function useColumns(): Column<Code>[] {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const config = useConfig()
  const now = useNow()
  return [
    {
      id: 'code',
      head: text.code,
      cell: ({ code }) => (
        <span className="pn-line pn-gap-2">
          <code dir="ltr">{code}</code>
          <CopyButton tone="quiet" text={registerLink(code)} aria-label={text.copyOf(code)} />
        </span>
      ),
    },
    { id: 'label', head: text.label, cell: ({ label }) => <bdi>{label}</bdi> },
    {
      id: 'division',
      head: text.division,
      cell: ({ division }) => division !== null && <bdi>{divisionName(config?.divisions, division)}</bdi>,
    },
    {
      id: 'uses',
      head: text.uses,
      cell: ({ uses, maxUses }) => text.usesOf(format.number(uses), format.number(maxUses)),
    },
    {
      id: 'expires',
      head: text.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? text.never : format.dateTime(expiresAt)),
    },
    { id: 'state', head: text.state, cell: (code) => text.codeStates[codeState(code, now)] },
  ]
}

const HEAD = ['code', 'link', 'label', 'division', 'uses', 'max_uses', 'expires', 'revoked', 'created']

const iso = (at: number | null) => (at === null ? '' : new Date(at).toISOString())

async function loadCsv({ offset, limit, signal }: { offset: number; limit: number; signal: AbortSignal }) {
  const query = { limit: String(limit), offset: String(offset) }
  const { codes, total } = await requestData(listRegistrationCodes, { query }, { signal })
  return {
    total,
    rows: codes.map(({ code, label, division, uses, maxUses, expiresAt, revokedAt, createdAt }) => [
      code,
      registerLink(code),
      label,
      division ?? '',
      String(uses),
      String(maxUses),
      iso(expiresAt),
      iso(revokedAt),
      iso(createdAt),
    ]),
  }
}
