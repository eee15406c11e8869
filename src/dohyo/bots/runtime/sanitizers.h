/* Put before each source of C and C++ in a debug build: settings of the sanitizers, which ASAN_OPTIONS and
   UBSAN_OPTIONS can still change. Leaks are not looked for: that needs rights that a sandbox takes away. Freed memory
   is kept aside in 16 MiB, not 256, because a bot's memory is limited. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void);
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void)
{
    return "detect_leaks=0:quarantine_size_mb=16:handle_abort=1:print_legend=0";
}
__attribute__((weak, visibility("default"))) const char *__ubsan_default_options(void);
__attribute__((weak, visibility("default"))) const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1:halt_on_error=1";
}
#ifdef __cplusplus
}
#endif
