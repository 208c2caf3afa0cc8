import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { requestData } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { configQuery } from '../../api/queries.ts'
import { useConfig, useIsOver, useMay } from '../../api/use-contest.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import styles from './statistics.module.css'

/** Who sees the figures, and the switch for it. */
export function Publication() {
  const text = useMessages(statisticsMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const config = useConfig()
  const isOver = useIsOver()
  const may = useMay('settingsWrite')
  const isPublic = config?.statistics === true
  const isShown = isOver && config?.freezeTime === undefined
  const saving = useMutation({
    mutationFn: () => requestData(updateSettings, { body: { data: { statisticsPublic: !isPublic } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: configQuery.queryKey }),
  })
  return (
    <p className={styles.publication}>
      <span>{isPublic ? (isShown ? text.isPublic : text.willBePublic) : text.isPrivate}</span>
      {may && config && (
        <Button busy={saving.isPending} onClick={() => saving.mutate()}>
          {isPublic ? text.unpublish : text.publish}
        </Button>
      )}
      <FailureLine>
        {saving.error instanceof RequestFailure ? errorText(saving.error) : undefined}
      </FailureLine>
    </p>
  )
}
