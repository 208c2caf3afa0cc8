import { fieldText, shownValue } from '@pennant/contract/custom-field-values.ts'
import { decideEligibility } from '@pennant/contract/custom-fields.ts'
import type { EligibilityRule } from '@pennant/contract/eligibility.ts'
import { eligibilityLimits } from '@pennant/contract/eligibility.ts'
import { useState } from 'react'
import { EligibilityList } from '../../account/eligibility-list.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { labelsOf, ruleName, useFields } from '../../api/fields.ts'
import { EditAnswers } from '../../organisers/edit-answers.tsx'
import { answersKey, useAnswersOf } from '../../organisers/field-lists.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { useLanguage } from '../../state/preferences.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Radio } from '../../ui/fields/choices.tsx'
import { Textarea } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Section } from '../../ui/states/panel.tsx'

/** What a team answered, with its consents, and its eligibility, about which organisers decide. */
export function AnswersPart({ teamId }: { readonly teamId: string }) {
  const text = useMessages(adminFieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const fields = useFields() ?? []
  const [decided, setDecided] = useState<EligibilityRule | null>(null)
  const found = useAnswersOf({ teams: [teamId] })?.teams.find(({ id }) => id === teamId)
  if (!found) return null
  const { answers, missing, consents, eligibility } = found
  const given = fields.filter(({ id, kind }) => kind !== 'consent' && answers[id] !== undefined)
  const isAsked = fields.some(({ of }) => of === 'team')
  if (!isAsked && given.length + missing.length + consents.length + eligibility.length === 0) return null
  return (
    <Section title={text.answers} level={3}>
      <dl>
        {given.map((field) => (
          <div key={field.id}>
            <dt>
              <bdi>{fieldText(field, language).label}</bdi>
            </dt>
            <dd>
              <bdi>{shownValue(field, answers[field.id] ?? '', language)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {consents.map(({ field, version, at }) => (
        <p key={`${field} ${version}`} className="pn-flat">
          {text.accepted(labelsOf(fields, [field], language)[0] ?? field, version, format.dateTime(at))}
        </p>
      ))}
      {missing.length > 0 && <p>{text.missing(format.list(labelsOf(fields, missing, language)))}</p>}
      <EditAnswers of="team" id={teamId} />
      <EligibilityList
        results={eligibility}
        action={(rule) => (
          <Button aria-label={text.decideOf(ruleName(rule, language))} onClick={() => setDecided(rule)}>
            {text.decide}
          </Button>
        )}
      />
      {decided && <Decide teamId={teamId} rule={decided} onClose={() => setDecided(null)} />}
    </Section>
  )
}

const RESULTS = ['rule', 'eligible', 'not'] as const

interface DecideProps {
  readonly teamId: string
  readonly rule: EligibilityRule
  readonly onClose: () => void
}

function Decide({ teamId, rule, onClose }: DecideProps) {
  const text = useMessages(adminFieldMessages)
  const language = useLanguage()
  const action = useListAction(answersKey)
  const [result, setResult] = useState<(typeof RESULTS)[number]>('rule')
  const [reason, setReason] = useState('')
  const save = async () => {
    const data = { result: result === 'rule' ? null : result, reason }
    const request = send(decideEligibility, { params: { id: teamId, rule: rule.id }, body: { data } })
    if (await action.run(request, text.decisionSaved)) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.decideOf(ruleName(rule, language))}
      actions={
        <Button tone="primary" busy={action.isPending} onClick={() => void save()}>
          {text.save}
        </Button>
      }
    >
      <div className="pn-stack pn-gap-4">
        <Radio
          label={text.result}
          value={result}
          onChange={(value) => setResult(RESULTS.find((each) => each === value) ?? 'rule')}
          choices={RESULTS.map((value) => ({ value, label: text.decisions[value] }))}
        />
        <Textarea
          label={text.reason}
          help={text.reasonHelp}
          value={reason}
          onChange={setReason}
          maxLength={eligibilityLimits.reason}
        />
        <FailureLine>{action.failure ?? undefined}</FailureLine>
      </div>
    </Dialog>
  )
}
