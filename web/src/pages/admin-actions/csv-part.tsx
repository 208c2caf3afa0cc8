import { useMutation } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { RequestFailure } from '../../api/failure.ts'
import { serverNow } from '../../state/clock.ts'
import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { downloadCsv, type ActionFilter } from './queries.ts'

/** Saves the filtered entries, oldest first. */
export function CsvPart({ filter }: { readonly filter: ActionFilter }) {
  const text = useMessages(adminActionsMessages)
  const errorText = useErrorText('once')
  const saving = useMutation({
    mutationFn: async () => {
      const content = await downloadCsv(filter)
      const at = new Date(serverNow()).toISOString().replaceAll(':', '-')
      saveFile({ name: `actions-${at}.csv`, content, type: 'text/csv;charset=utf-8' })
    },
  })
  return (
    <>
      <Button icon="download" busy={saving.isPending} onClick={() => saving.mutate()}>
        {text.csv}
      </Button>
      <FailureLine>
        {saving.error instanceof RequestFailure ? errorText(saving.error) : undefined}
      </FailureLine>
    </>
  )
}
