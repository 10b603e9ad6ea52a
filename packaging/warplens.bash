# bash completion for warplens. Commands, options and kernels come from the program itself.
_warplens() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command="" i
    local commands
    commands=$("$program" --help 2>/dev/null | sed -n '/^Subcommands:/,$ s/^  \([a-z]\+\) .*/\1/p')
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if grep -qxF -- "${COMP_WORDS[i]}" <<<"$commands"; then command=${COMP_WORDS[i]}; break; fi
    done
    if [[ $word == -* ]]; then
        # $command is empty or one word.
        mapfile -t COMPREPLY < <(compgen -W "$("$program" $command --help 2>/dev/null |
            sed -nE 's/^  (-[A-Za-z],)?(--[a-z-]+).*/\2/p')" -- "$word")
        return
    fi
    local kernels
    kernels=$("$program" list 2>/dev/null | sed -nE 's/^([a-z0-9_]+) .*/\1/p')
    [[ -n $command ]] || kernels+=" $commands"
    mapfile -t COMPREPLY < <(compgen -W "$kernels" -- "$word"; compgen -f -- "$word")
}
complete -o filenames -F _warplens warplens
