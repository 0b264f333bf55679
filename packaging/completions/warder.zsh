#compdef warder
# Completion of warder(1) for zsh, by `warder complete`, which knows the commands, their options and their values.

local line
local -a offered
for line in "${(@f)$(command warder complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
        :file) _files ;;
        :directory) _files -/ ;;
        :command) _command_names -e; _files ;;
        ?*) offered+=("$line") ;;
    esac
done
(( $#offered )) && compadd -a offered
