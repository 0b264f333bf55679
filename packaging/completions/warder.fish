# Completion of warder(1) for fish, by `warder complete`, which knows the commands, their options and their values.

function __warder_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command warder complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path (commandline -ct)
            case :directory
                __fish_complete_directories (commandline -ct) ''
            case :command
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c warder -f -a '(__warder_complete)'
