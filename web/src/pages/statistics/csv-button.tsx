import { useMutation } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { RequestFailure } from '../../api/failure.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { downloadTable, type AdminTable } from './queries.ts'

interface CsvButtonProps {
  readonly table: AdminTable
  /** What is in it, for screen readers. */
  readonly title: string
  readonly isOrganiser: boolean
}

/** Saves a table as it is on the server. */
export function CsvButton({ table, title, isOrganiser }: CsvButtonProps) {
  const text = useMessages(statisticsMessages)
  const errorText = useErrorText('once')
  const saving = useMutation({
    mutationFn: async () => {
      const content = await downloadTable(table, isOrganiser)
      saveFile({ name: `${table}.csv`, content, type: 'text/csv;charset=utf-8' })
    },
  })
  return (
    <>
      <Button
        tone="quiet"
        icon="download"
        aria-label={text.csv(title)}
        busy={saving.isPending}
        onClick={() => saving.mutate()}
      >
        CSV
      </Button>
      {saving.error instanceof RequestFailure && <FailureLine>{errorText(saving.error)}</FailureLine>}
    </>
  )
}
