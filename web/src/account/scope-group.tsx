import type { Scope } from '@pennant/contract/scopes.ts'
import { apiTokensMessages } from '../text/en/api-tokens.ts'
import { useMessages } from '../text/messages.ts'
import { Switch } from '../ui/fields/choices.tsx'
import { FieldGroup } from '../ui/fields/field-group.tsx'

interface ScopeGroupProps {
  readonly title: string
  readonly scopes: readonly Scope[]
  readonly value: readonly Scope[]
  readonly onChange: (scopes: readonly Scope[]) => void
}

export function ScopeGroup({ title, scopes, value, onChange }: ScopeGroupProps) {
  const text = useMessages(apiTokensMessages)
  return (
    <FieldGroup title={title}>
      {scopes.map((scope) => (
        <Switch
          key={scope}
          kind="checkbox"
          name="scopes"
          label={
            <>
              <code dir="ltr">{scope}</code> {text.scopeTexts[scope]}
            </>
          }
          checked={value.includes(scope)}
          onChange={(isOn) => onChange(isOn ? [...value, scope] : value.filter((each) => each !== scope))}
        />
      ))}
    </FieldGroup>
  )
}
